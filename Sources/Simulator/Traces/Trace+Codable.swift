internal import CConcurrencyHooks

/// For another process of the same executable: places in code are told by their offsets, and found there again only when
/// they are asked for.
extension Trace: Codable {
  private enum CodingKeys: CodingKey {
    case events, domains, tasks, digest, images, stacks, causes, decisions
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let images = try values.decode([String].self, forKey: .images)
    let stacks = try values.decode([[Place]].self, forKey: .stacks)
    self.init(
      events: try values.decode([Trace.Event].self, forKey: .events),
      domains: try values.decode([Domain].self, forKey: .domains),
      tasks: try values.decode([Task].self, forKey: .tasks),
      digest: try values.decode(UInt64.self, forKey: .digest),
      stacks: Place.addresses(stacks, in: images),
      causes: try values.decode([Int].self, forKey: .causes),
      decisions: try values.decode([Int: Decision].self, forKey: .decisions))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(events, forKey: .events)
    try values.encode(domains, forKey: .domains)
    try values.encode(tasks, forKey: .tasks)
    try values.encode(digest, forKey: .digest)
    try values.encode(causes, forKey: .causes)
    try values.encode(decisions, forKey: .decisions)
    var images: [String] = []
    try values.encode(Place.places(stacks, naming: &images), forKey: .stacks)
    try values.encode(images, forKey: .images)
  }

  /// An address within the executable or a library.
  fileprivate struct Place: Codable {
    /// An index into the names of the images; -1 when no image holds the address.
    let image: Int
    let offset: UInt

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      image = try values.decode(Int.self)
      offset = try values.decode(UInt.self)
    }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.unkeyedContainer()
      try values.encode(image)
      try values.encode(offset)
    }

    init(image: Int, offset: UInt) {
      self.image = image
      self.offset = offset
    }

    static func places(_ stacks: [[UInt]], naming images: inout [String]) -> [[Place]] {
      stacks.map { stack in
        stack.map { address in
          guard let name = unsafe ch_image_name(address) else { return Place(image: -1, offset: 0) }
          let text = unsafe String(cString: name)
          let image = images.firstIndex(of: text) ?? images.endIndex
          if image == images.endIndex { images.append(text) }
          return Place(image: image, offset: ch_image_offset(address))
        }
      }
    }

    static func addresses(_ stacks: [[Place]], in images: [String]) -> [[UInt]] {
      let bases = images.map { unsafe ch_image_base($0) }
      return stacks.map { stack in
        stack.map { place in
          guard bases.indices.contains(place.image), bases[place.image] != 0 else { return 0 }
          return bases[place.image] + place.offset
        }
      }
    }
  }
}

extension Trace.Excerpt: Codable {
  private enum CodingKeys: CodingKey { case subject, images, stack, otherwise, end }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let images = try values.decode([String].self, forKey: .images)
    let stack = try values.decode([Trace.Place].self, forKey: .stack)
    self.init(
      subject: try values.decode(String.self, forKey: .subject),
      stack: Trace.Place.addresses([stack], in: images)[0],
      otherwise: try values.decode(String.self, forKey: .otherwise),
      end: try values.decode(String.self, forKey: .end))
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(subject, forKey: .subject)
    try values.encode(otherwise, forKey: .otherwise)
    try values.encode(end, forKey: .end)
    var images: [String] = []
    try values.encode(Trace.Place.places([stack], naming: &images)[0], forKey: .stack)
    try values.encode(images, forKey: .images)
  }
}
