import { lookup, Resolver } from 'node:dns/promises'

const TRY_MS = 3_000
const TRIES = 2

/**
 * Returns all IPv4 and IPv6 addresses that DNS servers have for a host name; empty if there are none. The
 * system's lookup is avoided, because a slow DNS server would block its few threads, and because it resolves
 * internal names.
 *
 * @example
 * ```ts
 * import { HostAddresses } from '@firn/outbound'
 *
 * const addresses = await HostAddresses.resolve('example.com', AbortSignal.timeout(5_000))
 * ```
 */
export async function resolve(hostname: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/**
 * Returns all addresses that the system's resolver has for a host name, including those in the hosts file.
 * Rejects if there are none.
 *
 * @example
 * ```ts
 * import { HostAddresses } from '@firn/outbound'
 *
 * const addresses = await HostAddresses.resolveInside('localhost')
 * ```
 */
export async function resolveInside(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
