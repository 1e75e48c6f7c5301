import { Bech32 } from '@firn/codec'
import type { Secp256k1 } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'

/** Formats an address in bech32 without a chain prefix, as in all answers of the Data API. */
export function address(bytes: Uint8Array, hrp: string): string {
  return Bech32.encode(hrp, bytes)
}

/** The owner of a subnet. */
export const SubnetOwnershipInfo = Schema.object('SubnetOwnershipInfo', 'The owner of a subnet', {
  locktime: Field.seconds('Time before which the owner cannot act; 0 for none', 0),
  threshold: Schema.integer('Number of addresses that must sign', 1),
  addresses: Field.addresses('Addresses of the owner'),
})

/** Returns the owner of a subnet in the Data API's format. */
export function subnetOwnershipInfo(
  { locktime, threshold, addresses }: Secp256k1.OutputOwners,
  hrp: string,
): Body {
  return { locktime, threshold, addresses: addresses.map((one) => address(one, hrp)) }
}

/** The owner of an L1 validator's remaining balance, or the owner that may deactivate the validator. */
export const L1Owner = Schema.object(
  'BalanceOwner',
  'The owner of the remaining balance of an L1 validator, or the owner that may disable the validator',
  {
    addresses: Field.addresses('Addresses of the owner'),
    threshold: Schema.integer('Number of addresses that must sign', 1),
  },
)

/** Returns an owner of an L1 validator in the Data API's format. Such an owner has no locktime. */
export function l1Owner(
  owner: { readonly threshold: number; readonly addresses: readonly Uint8Array[] },
  hrp: string,
): Body {
  return { addresses: owner.addresses.map((one) => address(one, hrp)), threshold: owner.threshold }
}
