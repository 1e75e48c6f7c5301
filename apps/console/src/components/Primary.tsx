import type { AssetAmount, HistoricalReward, PrimaryNetworkTransaction } from '@firn/client'
import { link } from '../Routes.ts'
import { Amount } from './Amount.tsx'
import { Id } from './Id.tsx'

/** A link to a transaction of the Primary Network. */
export function TxId({ id, isWhole }: { readonly id: string; readonly isWhole?: boolean }) {
  return <Id id={id} href={link('transaction', { txId: id })} isWhole={isWhole === true} />
}

/** A link to a validator. */
export function NodeIdLink({ id }: { readonly id: string }) {
  return <Id id={id} href={link('validator', { nodeId: id })} />
}

/** A link to a subnet. */
export function SubnetId({ id }: { readonly id: string }) {
  return <Id id={id} href={link('subnet', { subnetId: id })} />
}

/** A link to a blockchain. */
export function BlockchainId({ id }: { readonly id: string }) {
  return <Id id={id} href={link('blockchain', { blockchainId: id })} />
}

/** Links to addresses, one below the other. */
export function Addresses({ addresses }: { readonly addresses: readonly string[] }) {
  return (
    <ul>
      {addresses.map((address) => (
        <li key={address}>
          <Id id={address} href={link('address', { address })} />
        </li>
      ))}
    </ul>
  )
}

/** An amount of an asset, in the decimals that the asset declares. */
export function AssetAmountText({ asset }: { readonly asset: AssetAmount }) {
  return <Amount value={asset.amount} decimals={asset.denomination} symbol={asset.symbol} />
}

/** Amounts of several assets, one below the other. */
export function Assets({ assets }: { readonly assets: readonly AssetAmount[] }) {
  if (assets.length === 0) return null
  return (
    <ul>
      {assets.map((asset) => (
        <li key={`${asset.assetId} ${asset.amount}`}>
          <AssetAmountText asset={asset} />
        </li>
      ))}
    </ul>
  )
}

/** Names of transaction types for people: the type without `Tx`, as words. */
export function typeName(type: PrimaryNetworkTransaction['txType'] | string): string {
  const words = type.replace(/Tx$/, '').replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  const text = words.replace(
    /\b(?!L1\b)([A-Z])([a-z]+)/g,
    (_, first: string, rest: string) => first.toLowerCase() + rest,
  )
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Names of the kinds of rewards. */
export const REWARD_KINDS: Readonly<Record<HistoricalReward['rewardType'], string>> = {
  VALIDATOR: 'Validation',
  DELEGATOR: 'Delegation',
  VALIDATOR_FEE: 'Commission',
}
