/** A bundle that a browser would load, and the most that it may weigh. */
export type Bundle = {
  readonly name: string
  /** The module to bundle; it imports by package name. */
  readonly code: string
  /** Folder of the package whose dependencies the module may use. */
  readonly from: string
  /** Most bytes after minifying and gzip. */
  readonly limit: number
}

/** Single imports with their limits: measured, plus 10 %. Cb58's is a promise of the package. */
export const BUNDLES: readonly Bundle[] = [
  {
    name: 'codec: Cb58 alone',
    from: 'packages/codec',
    code: "export { Cb58 } from '@firn/codec'",
    limit: 6_000,
  },
]
