import PosixLock
import Simulator

// The bugs of variables that no lock guards, or not the same one.

extension SCTProgram {
  /// A driver that is stopped while a request is on its way in.
  static let bluetoothOfThreads = bluetooth.ofThreads(needsAtomics: true) { simulation in
    let pending = Variable(1)
    let (isStopping, event, isStopped) = (Variable(0), Variable(0), Variable(0))
    @Sendable func leave() { if pending.add(-1) == 0 { event.value = 1 } }
    let stop: @Sendable () -> Void = {
      isStopping.value = 1
      leave()
      if event.value == 1 { isStopped.value = 1 }
    }
    await runThreads([stop]) {
      if isStopping.value == 0 {
        _ = pending.add(1)
        if isStopped.value == 1 { simulation.fail("assertion", "the driver is stopped") }
      }
      leave()
    }
  }

  /// One checks its own increment under a lock; `others` increment under another lock.
  static func wronglockOfThreads(_ others: Int, _ port: SCTProgram) -> SCTProgram {
    port.ofThreads(needsAtomics: true) { simulation in
      let (dataLock, thisLock) = (ThreadLock(), ThreadLock())
      let data = Variable(0)
      let checker: @Sendable () -> Void = {
        dataLock.withLock {
          let before = data.value
          data.value += 1
          if data.value != before + 1 { simulation.fail("assertion", "somebody else wrote") }
        }
      }
      let other: @Sendable () -> Void = { thisLock.withLock { data.value += 1 } }
      await runThreads([checker] + Array(repeating: other, count: others))
    }
  }

  /// `writers` set one variable under its lock and then another from it under its own; `readers` expect the second to
  /// be set as soon as the first is. The first is read under the lock of the second, too.
  static func twostageOfThreads(_ writers: Int, _ readers: Int, _ port: SCTProgram) -> SCTProgram {
    port.ofThreads { simulation in
      let (lock1, lock2) = (ThreadLock(), ThreadLock())
      let (data1, data2) = (Variable(0), Guarded(0))
      let writer: @Sendable () -> Void = {
        lock1.withLock { data1.value = 1 }
        lock2.withLock { data2.value = data1.value + 1 }
      }
      let reader: @Sendable () -> Void = {
        let first = lock1.withLock { data1.value }
        guard first != 0 else { return }
        let second = lock2.withLock { data2.value }
        if second != first + 1 { simulation.fail("assertion", "the second is not set") }
      }
      await runThreads(Array(repeating: writer, count: writers) + Array(repeating: reader, count: readers))
    }
  }

  /// `setters` write one variable and then another; `checkers` must never see only the first written.
  static func reorderOfThreads(_ setters: Int, _ checkers: Int, _ port: SCTProgram) -> SCTProgram {
    port.ofThreads(needsAtomics: true) { simulation in
      let (a, b) = (Variable(0), Variable(0))
      let setter: @Sendable () -> Void = {
        a.value = 1
        b.value = -1
      }
      let checker: @Sendable () -> Void = {
        if a.value == 0, b.value == 0 { return }
        if a.value == 1, b.value == -1 { return }
        simulation.fail("assertion", "only one is written")
      }
      await runThreads(Array(repeating: setter, count: setters) + Array(repeating: checker, count: checkers))
    }
  }
}
