import { IpAddress, IpNetworks } from '@firn/http'
import { HostAddresses, type OutboundTarget, PublicAddress } from '@firn/outbound'
import type { SecretEncoding } from '@firn/service-store'
import type { RetryPolicy } from './delivery/RetryPolicy.ts'

/** Options of webhooks. */
export interface WebhookOptions {
  /**
   * Addresses and networks inside the operator's network, such as `10.0.0.0/8`, that webhooks may call, also without TLS
   * and on any port; by default none.
   */
  readonly networks?: readonly string[] | undefined
  /** Whether this process compares events with webhooks and sends messages; by default it does not. */
  readonly isDelivering?: boolean | undefined
  /** Time in milliseconds within which a target must answer; default 10,000. */
  readonly timeoutMs?: number | undefined
  /** Time in milliseconds for which messages are kept, for replays; default 7 days. */
  readonly keepMs?: number | undefined
  /** Maximum number of webhooks to which messages are sent at the same time; default 64. */
  readonly concurrency?: number | undefined
  /** Maximum number of them with the same host; default 16. */
  readonly perHost?: number | undefined
  /** Parts of the policy of retries that differ from the default. */
  readonly retries?: Partial<RetryPolicy> | undefined
  /** Maximum number of streams of messages of an API key in this process; default 20. */
  readonly streamsPerKey?: number | undefined
  /**
   * Key of the signatures of new webhooks whose creators choose none: the secret's `text` (default), or the bytes of which
   * it is the hexadecimal form (`hex`).
   */
  readonly secretEncoding?: SecretEncoding | undefined
  /** Replaces parts of the policy; for tests. */
  readonly policy?: Partial<OutboundTarget.TargetPolicy> | undefined
}

/** Defaults of {@link WebhookOptions}. */
export const DEFAULTS = {
  timeoutMs: 10_000,
  keepMs: 7 * 86_400_000,
  concurrency: 64,
  perHost: 16,
  streamsPerKey: 20,
  secretEncoding: 'text',
} as const

/** Ports that webhooks may call outside. */
const PORTS = [443, 8443]

/**
 * Returns which URLs webhooks may have: those with public addresses, and those in the networks that the operator allows.
 * @throws HttpError `HTTP_CONFIGURATION` if an entry of the networks is neither an address nor a network
 */
export function policyOf({ networks = [], policy }: WebhookOptions): OutboundTarget.TargetPolicy {
  return { ...(networks.length === 0 ? OUTSIDE : withInside(networks)), ...policy }
}

const OUTSIDE: OutboundTarget.TargetPolicy = {
  resolve: HostAddresses.resolve,
  isPublic: PublicAddress.isPublic,
  plainHttp: false,
  ports: PORTS,
}

function withInside(networks: readonly string[]): OutboundTarget.TargetPolicy {
  const has = IpNetworks.create('--webhook-networks', networks)
  return {
    ...OUTSIDE,
    // Only the resolver of the system knows internal names.
    resolve: HostAddresses.resolveInside,
    isInside: (text) => {
      const address = IpAddress.parse(text)
      return address !== undefined && has(address)
    },
  }
}
