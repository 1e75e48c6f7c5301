import { channel } from 'node:diagnostics_channel'

/** A request that was refused because its caller exceeded a limit. */
export interface Refusal {
  /** Name of the service, such as `data-api`. */
  readonly service: string
  /** Address or name of the caller. It never contains a secret. */
  readonly caller: string
  /** The limit, such as `compute units`. */
  readonly limit: string
}

/** Name of the diagnostics channel of Node.js on which services publish each {@link Refusal}. */
export const CHANNEL = 'firn.http.refusal'

const refusals = channel(CHANNEL)

/**
 * Reports a refused request to everything in this process that counts refusals, such as the endpoints for operators.
 * @example
 * ```ts
 * import { Refusals } from '@firn/http'
 *
 * Refusals.publish({ service: 'data-api', caller: '203.0.113.9', limit: 'compute units' })
 * ```
 */
export function publish(refusal: Refusal): void {
  refusals.publish(refusal)
}
