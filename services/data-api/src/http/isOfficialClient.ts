const OFFICIAL_CLIENT = /^speakeasy-sdk\/typescript/

/** Returns whether a request with a user agent comes from an official client outside of a browser. */
export function isOfficialClient(userAgent: string): boolean {
  return OFFICIAL_CLIENT.test(userAgent)
}
