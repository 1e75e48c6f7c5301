import { setFlagsFromString } from 'node:v8'

/** Growth of the heap between two collections of all garbage, in percent of what is in use. */
const PERCENT = 100

/**
 * Makes V8 collect garbage when the heap has doubled, in all threads of the process. By default, V8 lets the heap of a
 * process that fills a database grow up to four times, which costs a fifth of its memory and saves little processor
 * time; see docs/capacity.md. For processes that index EVM chains.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${PERCENT}`)
}
