import { Endpoint } from '@firn/p2p'

/** Returns the values of a node's options `--bootstrap-ids` and `--bootstrap-ips` that name validators as beacons. */
export function of(
  validators: readonly { readonly nodeIdText: string; readonly address: Endpoint.Endpoint }[],
): { readonly ids: string; readonly ips: string } {
  return {
    ids: validators.map(({ nodeIdText }) => nodeIdText).join(','),
    ips: validators.map(({ address }) => Endpoint.format(address)).join(','),
  }
}
