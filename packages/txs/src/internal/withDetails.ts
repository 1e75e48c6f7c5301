import { addDetails } from '@firn/codec'

/** Runs a check, and adds details to the errors that it throws. */
export function withDetails(details: Readonly<Record<string, unknown>>, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw addDetails(error, details)
  }
}
