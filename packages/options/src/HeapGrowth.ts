import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 collect garbage when the heap has grown by `percent` since the last collection of all garbage, in all threads
 * of the process. By default, V8 lets the heap of a busy process grow up to four times.
 *
 * @example
 * ```ts
 * import { limitHeapGrowth } from '@firn/options'
 *
 * limitHeapGrowth(100) // when the heap has doubled
 * ```
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}
