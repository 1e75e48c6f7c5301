import { isOfficialClient } from '../http/isOfficialClient.ts'

/**
 * HTTP status of a response with a signed message: `200`, `201`, or `auto`. `auto` means 201 for the official client,
 * which accepts only 201, and 200 for others.
 */
export type AggregateStatus = 200 | 201 | 'auto'

/** Returns the HTTP status of a response with a signed message for a caller's user agent. */
export function resolve(status: AggregateStatus, userAgent: string): 200 | 201 {
  if (status !== 'auto') return status
  return isOfficialClient(userAgent) ? 201 : 200
}
