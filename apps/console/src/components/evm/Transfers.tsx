import type {
  Erc20TransferDetails,
  Erc721TransferDetails,
  Erc1155TransferDetails,
  RichAddress,
} from '@firn/client'
import { plain } from '../../format/Amounts.ts'
import { format } from '../../format/Times.ts'
import { link } from '../../Routes.ts'
import type { Paged } from '../../state/usePages.ts'
import { Amount } from '../Amount.tsx'
import { type Column, Table } from '../Table.tsx'
import { Time } from '../Time.tsx'
import { BlockLink, PartyLink, TokenLink, TxLink } from './Links.tsx'

/** Place of a transfer in the chain. Transfers of one transaction have none. */
interface TransferPlace {
  readonly txHash: string
  readonly blockNumber: string
  readonly blockTimestamp: number
}

/** A transfer of a token of any standard. */
export interface Transfer {
  readonly logIndex: number
  readonly from: RichAddress
  readonly to: RichAddress
  readonly standard: 'ERC-20' | 'ERC-721' | 'ERC-1155'
  readonly token: { readonly address: string; readonly symbol?: string; readonly name?: string }
  /** Amount in the smallest unit. */
  readonly value: string
  readonly decimals: number
  /** Id of the token within its contract, for NFTs. */
  readonly tokenId?: string | undefined
  readonly place?: TransferPlace | undefined
}

type AnyTransfer = (Erc20TransferDetails | Erc721TransferDetails | Erc1155TransferDetails) &
  Partial<TransferPlace>

/** Converts a transfer of the Data API. */
export function toTransfer(transfer: AnyTransfer): Transfer {
  const { logIndex, from, to, txHash, blockNumber, blockTimestamp } = transfer
  const place =
    txHash === undefined || blockNumber === undefined || blockTimestamp === undefined
      ? undefined
      : { txHash, blockNumber, blockTimestamp }
  const common = { logIndex, from, to, place }
  if ('erc20Token' in transfer) {
    const { erc20Token: token, value } = transfer
    return { ...common, standard: token.ercType, token, value, decimals: token.decimals }
  }
  if ('erc721Token' in transfer) {
    const { erc721Token: token } = transfer
    return { ...common, standard: token.ercType, token, value: '1', decimals: 0, tokenId: token.tokenId }
  }
  const { erc1155Token: token, value } = transfer
  const { address, tokenId, metadata } = token
  const shown = { address, symbol: metadata.symbol ?? '', name: metadata.name ?? '' }
  return {
    ...common,
    standard: token.ercType,
    token: shown,
    value,
    decimals: metadata.decimals ?? 0,
    tokenId,
  }
}

/** Token transfers, with their place in the chain if they have one. */
export function TransferTable({
  name,
  chainId,
  list,
  hasPlaces,
}: {
  readonly name: string
  readonly chainId: string
  readonly list: Omit<Paged<Transfer>, 'more'> & { readonly more?: () => void }
  readonly hasPlaces: boolean
}) {
  return (
    <Table
      name={name}
      rows={list.rows}
      columns={[...(hasPlaces ? placesOf(chainId) : []), ...columnsOf(chainId)]}
      rowKey={({ place, logIndex, tokenId = '', value }) =>
        [place?.txHash ?? '', logIndex, tokenId, value].join(' ')
      }
      empty="There are no token transfers."
      isLoading={list.isLoading}
      error={list.error}
      hasMore={list.hasMore}
      {...(list.more && { onMore: list.more })}
    />
  )
}

const placesOf = (chainId: string): readonly Column<Transfer>[] => [
  {
    title: 'Transaction',
    cell: ({ place }) => place && <TxLink chainId={chainId} hash={place.txHash} />,
    text: ({ place }) => place?.txHash ?? '',
  },
  {
    title: 'Block',
    cell: ({ place }) => place && <BlockLink chainId={chainId} height={place.blockNumber} />,
    text: ({ place }) => place?.blockNumber ?? '',
    isNumber: true,
  },
  {
    title: 'Time',
    cell: ({ place }) => place && <Time at={place.blockTimestamp} />,
    text: ({ place }) => (place === undefined ? '' : format(place.blockTimestamp, 'utc')),
  },
]

const columnsOf = (chainId: string): readonly Column<Transfer>[] => [
  {
    title: 'From',
    cell: ({ from }) => <PartyLink chainId={chainId} of={from} zero="Mint" />,
    text: ({ from }) => from.address,
  },
  {
    title: 'To',
    cell: ({ to }) => <PartyLink chainId={chainId} of={to} zero="Burn" />,
    text: ({ to }) => to.address,
  },
  {
    title: 'Amount',
    cell: ({ value, decimals }) => <Amount value={value} decimals={decimals} symbol="" />,
    text: ({ value, decimals }) => plain(value, decimals),
    isNumber: true,
  },
  {
    title: 'Token',
    cell: ({ token, tokenId }) => (
      <>
        <TokenLink chainId={chainId} token={token} />
        {tokenId !== undefined && (
          <TokenIdLink chainId={chainId} contract={token.address} tokenId={tokenId} />
        )}
      </>
    ),
    text: ({ token, tokenId }) => (tokenId === undefined ? token.address : `${token.address} #${tokenId}`),
  },
  { title: 'Standard', cell: ({ standard }) => standard, text: ({ standard }) => standard },
]

/** A link to one token of an ERC-721 or ERC-1155 contract. */
export function TokenIdLink({
  chainId,
  contract,
  tokenId,
}: {
  readonly chainId: string
  readonly contract: string
  readonly tokenId: string
}) {
  return (
    <a class="token-id" href={link('evmNft', { chainId, address: contract, tokenId })} title={tokenId}>
      {' '}
      #{tokenId.length > 12 ? `${tokenId.slice(0, 10)}…` : tokenId}
    </a>
  )
}
