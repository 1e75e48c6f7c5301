/** The position of a chain. */
export interface Position {
  /** 0 at the genesis. */
  readonly height: bigint
  /** The inner block's id (32 bytes); on the C-chain the EVM block's hash, zero at its genesis. */
  readonly blockId: Uint8Array
  /** The chain's time after the block, Unix seconds. */
  readonly time: bigint
}

/** The data that one request sees: the three chains as one transaction of the writer left them. */
export interface Snapshot {
  /** The heights of P, X and C, separated by dots: equal for equal contents. */
  readonly key: string
  readonly P: Position
  readonly X: Position
  readonly C: Position
}

/** Creates the snapshot of three positions. */
export function create(positions: Pick<Snapshot, 'P' | 'X' | 'C'>): Snapshot {
  const [P, X, C] = [positions.P, positions.X, positions.C].map(
    ({ height, blockId, time }): Position => ({ height, blockId, time }),
  ) as [Position, Position, Position]
  return { key: `${P.height}.${X.height}.${C.height}`, P, X, C }
}
