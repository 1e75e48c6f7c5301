import { setFlagsFromString } from 'node:v8'

/** Growth of the heap between two collections of all garbage, in percent of what is in use. */
const PERCENT = 50

/**
 * Makes V8 collect garbage when the heap has grown by half, in all threads. By default, V8 lets it grow up to four
 * times, which costs a service with a thousand peers about 90 MB and saves no measurable processor time.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${PERCENT}`)
}
