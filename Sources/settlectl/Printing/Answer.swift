import Options
import SettledValues

/// An answer that can be shown in several forms.
struct Answer {
  /// What is shown to people.
  var text: (Style) -> String
  /// What is shown to programs.
  var value: Value

  /// The answer in the form that was asked for, with a line break at the end.
  func shown(for invocation: Invocation, style: Style) throws(ToolError) -> String {
    do throws(FormatError) {
      switch invocation.form {
      case .json: return style.shownJSON(try text(of: .json))
      case .yaml: return style.shown(try text(of: .yaml))
      case .text: return text(style)
      }
    } catch {
      throw ToolError(.refused, error.description)
    }
  }

  /// The answer for programs.
  func json(_ style: Style) throws(ToolError) -> String {
    do throws(FormatError) {
      return style.shownJSON(try text(of: .json))
    } catch {
      throw ToolError(.refused, error.description)
    }
  }

  private func text(of format: Format) throws(FormatError) -> String {
    String(decoding: try format.write(value), as: UTF8.self)
  }
}

/// How an answer is written.
enum AnswerForm: String, CaseIterable {
  /// For people.
  case text
  /// For programs.
  case json
  /// For programs, and people.
  case yaml
}

extension Invocation {
  /// The form of answers that is asked for.
  var form: AnswerForm {
    has(.json) ? .json : value(of: .output).flatMap(AnswerForm.init) ?? .text
  }
}

extension Option {
  /// Asks for JSON.
  static let json = Option("json", summary: "same as --output=json")
  /// Asks for a form.
  static let output = Option(
    "output", "o", metavar: "FORMAT", values: .oneOf(AnswerForm.allCases.map(\.rawValue)),
    summary: "answer as text (for people), json or yaml")
  /// Has long answers printed as they are, on a terminal too.
  static let noPager = Option("no-pager", summary: "do not page long answers")
  /// Names the daemon's socket.
  static let socket = Option(
    "socket", metavar: "PATH", values: .file, summary: "the daemon's socket")
}
