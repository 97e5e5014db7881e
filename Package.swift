// swift-tools-version: 6.2
import PackageDescription

// Targets stand in the order data flows through them, last room first: a target imports only what
// stands below it. packaging/check compares these rows with the imports and with the README's table.

/// The folder with what the linker reads.
let link = Context.packageDirectory + "/packaging/link"

/// How a program is linked.
///
/// It exports nothing, so that what it does not use is left out and its start has less to relocate;
/// it has libstdc++ within; and what every start runs stands side by side. Together a fifth less
/// memory and half the time to start. Packed relocations need glibc 2.36, which Debian 12 has.
let program: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-L" + link, "-Xlinker", "--no-export-dynamic",
      "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
      "-Xlinker", "--symbol-ordering-file=\(link)/startup.order",
      "-Xlinker", "--no-warn-symbol-ordering",
    ], .when(configuration: .release))
]

let package = Package(
  name: "settled",
  products: [
    .executable(name: "settled", targets: ["settled"]),
    .executable(name: "settlectl", targets: ["settlectl"]),
    .library(name: "SettledObserving", targets: ["SettledObserving"]),
    .library(
      name: "SettledSettings",
      targets: [
        "SettledSettings", "SettledObserving", "SettledYAML", "SettledInputs", "SettledValues",
      ]),
    .library(name: "SettledSystemd", targets: ["SettledSystemd"]),
  ],
  targets: [
    .executableTarget(
      name: "settled", dependencies: ["Daemon", "Generations", "SettledInputs", "Options"],
      linkerSettings: program),
    .executableTarget(
      name: "settlectl",
      dependencies: [
        "Generations", "Control", "Targets", "SettledInputs", "SettledValues", "Options",
      ],
      linkerSettings: program),
    .executableTarget(
      name: "settled-bench",
      dependencies: [
        "Generations", "Targets", "Templates", "Expressions", "Varlink", "SettledSettings",
        "SettledYAML", "SettledObserving", "SettledInputs", "SettledValues", "CLibYAML",
      ],
      path: "Sources/Benchmarks"),
    .executableTarget(
      name: "example-server",
      dependencies: ["SettledSettings", "SettledSystemd", "SettledObserving", "SettledValues"],
      path: "Examples/Server"),
    .target(
      name: "Daemon",
      dependencies: [
        "Generations", "Control", "Targets", "SettledObserving", "SettledSystemd",
        "SettledInputs", "SettledValues",
      ]),
    .target(
      name: "Generations",
      dependencies: [
        "Targets", "Templates", "Expressions", "SettledSettings", "SettledObserving",
        "SettledYAML", "SettledInputs", "SettledValues",
      ]),
    .target(
      name: "Targets",
      dependencies: ["SettledSystemd", "SettledInputs", "SettledValues", "CLinux"]),
    .target(name: "Control", dependencies: ["Varlink", "SettledValues"]),
    .target(name: "Varlink", dependencies: ["SettledValues", "CLinux"]),
    .target(name: "Templates", dependencies: ["Expressions", "SettledValues"]),
    .target(name: "Expressions", dependencies: ["SettledValues", "SettledPatterns"]),
    .target(
      name: "SettledSettings",
      dependencies: [
        "SettledYAML", "SettledObserving", "SettledInputs", "SettledValues", "SettledPatterns",
      ]),
    .target(name: "SettledObserving"),
    .target(name: "SettledYAML", dependencies: ["SettledValues", "CLibYAML"]),
    .target(name: "SettledInputs", dependencies: ["SettledValues", "CLinux"]),
    .target(name: "SettledSystemd", dependencies: ["CSystemd"]),
    .target(name: "SettledPatterns", dependencies: ["CPCRE2"]),
    .target(name: "Options", dependencies: ["SettledValues"]),
    .target(name: "SettledValues", dependencies: ["CLinux"]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),

    .target(name: "TestSupport", dependencies: ["SettledValues"], path: "Tests/TestSupport"),
    .testTarget(name: "SettledValuesTests", dependencies: ["SettledValues", "TestSupport"]),
    .testTarget(name: "SettledObservingTests", dependencies: ["SettledObserving"]),
    .testTarget(name: "SettledPatternsTests", dependencies: ["SettledPatterns"]),
    .testTarget(
      name: "SettledYAMLTests", dependencies: ["SettledYAML", "SettledValues", "TestSupport"],
      exclude: ["Golden", "PublicCases", "Verdicts"]),
    .testTarget(
      name: "SettledSettingsTests",
      dependencies: [
        "SettledSettings", "SettledYAML", "SettledObserving", "SettledValues", "SettledPatterns",
        "TestSupport",
      ]),
    .testTarget(
      name: "SettledInputsTests", dependencies: ["SettledInputs", "TestSupport"]),
    .executableTarget(
      name: "system-probe", dependencies: ["SettledSystemd"], path: "Tests/SystemProbe"),
    .testTarget(name: "SettledSystemdTests", dependencies: ["SettledSystemd", "CSystemd"]),
    .testTarget(
      name: "ExpressionsTests", dependencies: ["Expressions", "SettledValues", "TestSupport"]),
    .testTarget(
      name: "TemplatesTests",
      dependencies: ["Templates", "Expressions", "SettledValues", "TestSupport"]),
    .testTarget(name: "OptionsTests", dependencies: ["Options", "TestSupport"]),
    .testTarget(
      name: "VarlinkTests", dependencies: ["Varlink", "SettledValues", "CLinux", "TestSupport"]),
    .testTarget(
      name: "ControlTests", dependencies: ["Control", "Varlink", "SettledValues", "TestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "TargetsTests",
      dependencies: ["Targets", "SettledInputs", "SettledValues", "CLinux", "TestSupport"]),
    .testTarget(
      name: "GenerationsTests",
      dependencies: [
        "Generations", "Targets", "SettledSettings", "SettledObserving", "SettledYAML",
        "SettledInputs", "SettledValues", "TestSupport",
      ],
      exclude: ["Refused"]),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "Daemon", "Generations", "Targets", "Control", "Varlink", "SettledSystemd", "SettledInputs",
        "SettledValues", "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// libFuzzer brings the main function: built by packaging/fuzz alone.
if Context.environment["SETTLED_FUZZING"] != nil {
  package.targets.append(
    .executableTarget(
      name: "settled-fuzz",
      dependencies: [
        "Generations", "Varlink", "Templates", "Expressions", "SettledSettings", "SettledYAML",
        "SettledValues",
      ],
      path: "Sources/Fuzzing", swiftSettings: [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]))
}

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InferIsolatedConformances"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
