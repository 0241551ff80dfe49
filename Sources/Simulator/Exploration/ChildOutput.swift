internal import CProcesses
internal import Foundation

/// What a child leaves for the process that made it: its answer, and what it has written to its standard error. It serves
/// one child after the other.
final class ChildOutput {
  /// Where a child's standard error goes.
  let errors = cp_capture_open()
  private let answers: Int32

  /// Nil where there is no memory to share.
  init?() {
    answers = cp_answer_open()
    guard answers >= 0 else { return nil }
  }

  deinit {
    cp_close(answers)
    cp_close(errors)
  }

  /// Makes room for the next child's answer.
  func clear() { cp_answer_clear(answers) }

  /// Whether the last child has left an answer.
  var hasAnswer: Bool { cp_answer_size(answers) > 0 }

  /// What the last child has answered; nil where it has not, or where that cannot be read.
  var answer: Data? {
    let size = cp_answer_size(answers)
    var bytes = Data(count: size)
    let isRead = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe cp_answer_read(answers, base, size)
    }
    return isRead && size > 0 ? bytes : nil
  }

  /// In the child: leaves an answer. Whether that went well.
  func leave(_ answer: Data) -> Bool {
    unsafe answer.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe cp_answer_write(answers, base, buffer.count)
    }
  }
}
