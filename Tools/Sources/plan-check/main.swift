import Foundation
import PlanCheck

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  var isFine = true
  for check in options.checks {
    do throws(Refusal) {
      let outcome = try options.run(check)
      for finding in outcome.findings { print(finding.message) }
      for remark in outcome.remarks { print("warning: \(remark)") }
      for line in outcome.summary { print("  \(line)") }
      print(
        "\(check.rawValue): \(outcome.findings.isEmpty ? outcome.proved : "\(outcome.findings.count) findings")"
      )
      isFine = isFine && outcome.findings.isEmpty
    } catch {
      print("\(error)\n\(check.rawValue): not checked")
      isFine = false
    }
  }
  exit(isFine ? 0 : 1)
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(2)
}
