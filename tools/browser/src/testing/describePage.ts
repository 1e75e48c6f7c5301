/** Returns what the module finds in a page, and its argument with a number added. */
export async function main({ height }: { readonly height: bigint }) {
  const { isSecureContext, location } = globalThis as unknown as {
    readonly isSecureContext: boolean
    readonly location: { readonly origin: string }
  }
  if (height === 0n) throw new RangeError('the height is 0')
  return {
    isSecureContext,
    origin: location.origin,
    hasProcess: 'process' in globalThis,
    next: height + 1n,
  }
}
