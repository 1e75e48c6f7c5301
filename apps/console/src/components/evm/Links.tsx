import type { RichAddress } from '@firn/client'
import { count } from '../../format/Amounts.ts'
import { clean } from '../../format/ChainText.ts'
import { link } from '../../Routes.ts'
import { Id } from '../Id.tsx'

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/** A link to a block by its number. */
export function BlockLink({ chainId, height }: { readonly chainId: string; readonly height: string }) {
  return <a href={link('evmBlock', { chainId, blockId: height })}>{count(height)}</a>
}

/** A link to a transaction. */
export function TxLink({ chainId, hash }: { readonly chainId: string; readonly hash: string }) {
  return <Id id={hash} href={link('evmTransaction', { chainId, txHash: hash })} />
}

/** A link to an address, with the name of the contract. */
export function AddressLink({
  chainId,
  of: { address, name = '' },
  isWhole = false,
}: {
  readonly chainId: string
  readonly of: RichAddress
  readonly isWhole?: boolean
}) {
  return (
    <>
      <Id id={address} href={link('evmAddress', { chainId, address })} isWhole={isWhole} />
      {name !== '' && <bdi class="muted"> {clean(name)}</bdi>}
    </>
  )
}

/** The sender or recipient of a token transfer. The zero address stands for newly made and destroyed tokens. */
export function PartyLink({
  chainId,
  of,
  zero,
  isWhole = false,
}: {
  readonly chainId: string
  readonly of: RichAddress
  /** What the zero address means, such as `Mint`. */
  readonly zero: string
  readonly isWhole?: boolean
}) {
  if (of.address === ZERO_ADDRESS) return <span class="muted">{zero}</span>
  return <AddressLink chainId={chainId} of={of} isWhole={isWhole} />
}

/** A link to a token contract, by its symbol or name. */
export function TokenLink({
  chainId,
  token: { address, symbol = '', name = '' },
}: {
  readonly chainId: string
  readonly token: { readonly address: string; readonly symbol?: string; readonly name?: string }
}) {
  const href = link('evmToken', { chainId, address })
  const text = [symbol, name].map((one) => clean(one).trim()).find((one) => one !== '')
  if (text === undefined) return <Id id={address} href={href} />
  return (
    <a href={href} title={address}>
      <bdi>{text}</bdi>
    </a>
  )
}
