import Foundation

extension Twins {
  /// Between two operations, and between an operation and a task.
  static let operations: [Twins] = [
    Twins("a dependency") { total in
      let others = [Total(), Total()]
      let before = others.map { other in BlockOperation { other.add() } }
      let after = BlockOperation { for other in others { other.add() } }
      for operation in before { after.addDependency(operation) }
      await finished(before + [after])
    } racy: { total in
      await finished([BlockOperation { total.add() }, BlockOperation { total.add() }])
    },
    Twins("at most one operation at once") { total in
      let operations = (0..<3).map { _ in BlockOperation { total.add() } }
      await finished(operations, atOnce: 1)
    } racy: { total in
      let operations = (0..<3).map { _ in BlockOperation { total.add() } }
      await finished(operations, atOnce: 2)
    },
    Twins("an operation is finished before a wait ends") { total in
      let queue = OperationQueue()
      let operation = BlockOperation { total.add() }
      queue.addOperation(operation)
      await called { done in
        DispatchQueue.global().async {
          operation.waitUntilFinished()
          total.add()
          done()
        }
      }
    } racy: { total in
      let queue = OperationQueue()
      let operation = BlockOperation { total.add() }
      queue.addOperation(operation)
      await called { done in
        DispatchQueue.global().async {
          total.add()
          operation.waitUntilFinished()
          done()
        }
      }
    },
    Twins("a completion block") { total in
      let queue = OperationQueue()
      await called { done in
        let operation = BlockOperation { total.add() }
        operation.completionBlock = {
          total.add()
          done()
        }
        queue.addOperation(operation)
      }
    } racy: { total in
      let queue = OperationQueue()
      await called { done in
        let operation = BlockOperation {}
        operation.completionBlock = {
          total.add()
          done()
        }
        queue.addOperation(operation)
        total.add()
      }
    },
    Twins("all operations are finished before a wait ends") { total in
      let queue = OperationQueue()
      queue.addOperation { total.add() }
      await called { done in
        DispatchQueue.global().async {
          queue.waitUntilAllOperationsAreFinished()
          total.add()
          done()
        }
      }
    } racy: { total in
      let queue = OperationQueue()
      queue.addOperation { total.add() }
      total.add()
      await called { done in
        DispatchQueue.global().async {
          queue.waitUntilAllOperationsAreFinished()
          done()
        }
      }
    },
  ]

  private static func finished(_ operations: [Operation], atOnce count: Int? = nil) async {
    let queue = OperationQueue()
    if let count { queue.maxConcurrentOperationCount = count }
    for operation in operations { queue.addOperation(operation) }
    await called { done in queue.addBarrierBlock(done) }
  }
}
