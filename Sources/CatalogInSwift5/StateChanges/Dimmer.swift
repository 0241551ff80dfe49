/// The model behind a dimmer: how bright the lamp is to be, in percent.
package protocol DimmerModel: AnyObject {
  var level: Int { get }
  func dim(to level: Int)
}

/// The screen. In Swift 5 mode nobody asks where its model works.
@MainActor package struct DimmerView {
  private let model: any DimmerModel

  package init(model: any DimmerModel) {
    self.model = model
  }

  package var level: Int { model.level }

  package func slide(to level: Int) { model.dim(to: level) }
}

// MARK: - Seams

package protocol Lamp: Sendable {
  func dim(to level: Int) async throws
}
