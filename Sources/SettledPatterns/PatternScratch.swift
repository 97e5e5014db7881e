import CPCRE2

/// The memory that a search needs, for who searches often; one search at a time.
package final class PatternScratch: Sendable {
  /// Who hands it on to another thread has no use for it any more, so one at a time writes to it.
  nonisolated(unsafe) let matchData: OpaquePointer?
  /// As the other.
  nonisolated(unsafe) let context: OpaquePointer?

  /// Takes the memory.
  package init() {
    matchData = pcre2_match_data_create_8(1, nil)
    context = pcre2_match_context_create_8(nil)
  }

  deinit {
    pcre2_match_data_free_8(matchData)
    pcre2_match_context_free_8(context)
  }
}
