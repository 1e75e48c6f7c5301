/**
 * Status of a signed message: `200`, `201`, or `auto`: 201 for the official client, which accepts no other.
 */
export type AggregateStatus = 200 | 201 | 'auto'

const OFFICIAL_CLIENT = /^speakeasy-sdk\/typescript/

/** Returns the status of a signed message for a caller. */
export function resolve(status: AggregateStatus, userAgent: string): 200 | 201 {
  if (status !== 'auto') return status
  return OFFICIAL_CLIENT.test(userAgent) ? 201 : 200
}
