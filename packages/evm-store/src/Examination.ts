/** An inconsistency in the stored data. */
export interface Fault {
  /** Name of the table that contains the fault. */
  readonly table: string
  /**
   * Height of the faulty block, or of the first block of a faulty period. Undefined if the fault concerns no
   * block.
   */
  readonly height: bigint | undefined
  readonly message: string
}

/** Options of the check. */
export interface DoctorOptions {
  /** Maximum number of faults reported for the blocks, and for each table derived from them; 100 by default. */
  readonly most?: number | undefined
  /** Called from time to time with the height up to which blocks were checked. */
  readonly onProgress?: ((height: bigint) => void) | undefined
  readonly signal?: AbortSignal | undefined
}
