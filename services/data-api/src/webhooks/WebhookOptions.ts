import { HostAddresses, IpAddress, IpNetworks, type OutboundTarget, PublicAddress } from '@firn/http'

/** Options of webhooks. */
export interface WebhookOptions {
  /**
   * Addresses and networks inside the operator's network, such as `10.0.0.0/8`, that webhooks may call, also without TLS
   * and on any port; by default none.
   */
  readonly networks?: readonly string[] | undefined
  /** Replaces parts of the policy; for tests. */
  readonly policy?: Partial<OutboundTarget.TargetPolicy> | undefined
}

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
    // Names inside are known to the resolver of the system only.
    resolve: HostAddresses.resolveInside,
    isInside: (text) => {
      const address = IpAddress.parse(text)
      return address !== undefined && has(address)
    },
  }
}
