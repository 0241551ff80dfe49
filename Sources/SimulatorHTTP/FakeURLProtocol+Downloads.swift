internal import Foundation
internal import Simulator

#if canImport(FoundationNetworking)
  internal import FoundationNetworking

  extension FakeURLProtocol {
    /// Writes a file, and notifies the task's delegate unless it was notified of the pieces. Returns false if there is
    /// no file.
    func write(_ data: Data, of task: URLSessionDownloadTask, cameInPieces: Bool) -> Bool {
      guard let file = DownloadedFiles.current?.file(with: data), set(file) else { return false }
      guard !data.isEmpty, !cameInPieces, let session = task.ownSession,
        let delegate = task.toldDelegate as? any URLSessionDownloadDelegate
      else { return true }
      let count = Int64(data.count)
      session.delegateQueue.addOperation {
        delegate.urlSession(
          session, downloadTask: task, didWriteData: count, totalBytesWritten: count,
          totalBytesExpectedToWrite: count)
      }
      return true
    }

    /// Sets the property from which Foundation takes the file of a download. Only its own protocols can normally set
    /// it.
    private func set(_ file: URL) -> Bool {
      let name = "temporaryFileURL"
      guard let properties = Mirror(reflecting: self).stored("properties") as? any PropertiesOfProtocol
      else { return false }
      // Safe: an object begins with two words of the runtime's, and what follows is checked before it is changed.
      let place = unsafe Unmanaged.passUnretained(self).toOpaque() + 2 * MemoryLayout<Int>.size
      return unsafe properties.add(file, named: name, at: place)
    }
  }

  private protocol PropertiesOfProtocol {
    /// Returns false if the properties are not at `place`.
    func add(_ value: Any, named name: String, at place: UnsafeMutableRawPointer) -> Bool
  }

  extension Dictionary: PropertiesOfProtocol
  where Key: RawRepresentable, Key.RawValue == String, Value == Any {
    fileprivate func add(_ value: Any, named name: String, at place: UnsafeMutableRawPointer) -> Bool {
      guard let key = Key(rawValue: name),
        unsafe place.load(as: UInt.self) == unsafeBitCast(self, to: UInt.self)
      else { return false }
      // Safe: the word at `place` is the same as this dictionary.
      unsafe place.assumingMemoryBound(to: Self.self).pointee[key] = value
      return true
    }
  }

  /// The files that the downloads of one execution leave. They are removed when it ends.
  final class DownloadedFiles: Sendable {
    private let folder: URL
    private let lock: Int32
    private let count = Guarded(0)

    static var current: DownloadedFiles? {
      let name = "the files that were downloaded"
      guard let simulation = Simulation.current else { return nil }
      if let known = simulation.attached(name) as? DownloadedFiles { return known }
      guard let made = DownloadedFiles() else { return nil }
      simulation.attach(made, named: name)
      return made
    }

    /// Takes the first folder that no other execution has locked. Files of two concurrent executions must have
    /// different names, and those of one execution must have the same names in each replay. A process that ends
    /// releases its locks.
    private init?() {
      let place = FileManager.default.temporaryDirectory.appending(path: "simulated-downloads-\(getuid())")
      for number in 0... {
        let folder = place.appending(path: "\(number)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let lock = unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { return nil }
        if flock(lock, LOCK_EX | LOCK_NB) == 0 {
          (self.folder, self.lock) = (folder, lock)
          removeAll()
          return
        }
        close(lock)
      }
      return nil
    }

    deinit {
      removeAll()
      close(lock)
    }

    private func removeAll() {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
        try? FileManager.default.removeItem(at: folder.appending(path: name))
      }
    }

    func file(with data: Data) -> URL? {
      let number = count.withLock { count in
        count += 1
        return count
      }
      let file = folder.appending(path: "download-\(number).tmp")
      return (try? data.write(to: file)).map { file }
    }
  }
#endif
