/** An inconsistency. */
export interface Fault {
  /** The name of the table. */
  readonly table: string
  /** The block concerned, for a period its first block; undefined where no block is concerned. */
  readonly height: bigint | undefined
  readonly message: string
}

/** Options of the check. */
export interface DoctorOptions {
  /** The maximum number of reported faults per kind; 100 by default. */
  readonly most?: number | undefined
  /** Called from time to time with the height up to which blocks were checked. */
  readonly onProgress?: ((height: bigint) => void) | undefined
  readonly signal?: AbortSignal | undefined
}
