/** Something that isn't as it must be. */
export interface Fault {
  /** Where: the name of a table. */
  readonly table: string
  /** The block that it is about, of a period its first; undefined where it is about none. */
  readonly height: bigint | undefined
  readonly message: string
}

/** How to look. */
export interface DoctorOptions {
  /** The most faults of a kind that are told; 100. */
  readonly most?: number | undefined
  /** Is told now and then up to which height blocks were looked at. */
  readonly onProgress?: ((height: bigint) => void) | undefined
  readonly signal?: AbortSignal | undefined
}
