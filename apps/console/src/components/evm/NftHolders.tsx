import type { ListNftHoldersResponse, NftHolder } from '@firn/client'
import { useState } from 'preact/hooks'
import { count } from '../../format/Amounts.ts'
import { useData } from '../../state/Session.ts'
import { rowsOf, usePages } from '../../state/usePages.ts'
import { type Column, Table } from '../Table.tsx'
import { AddressLink } from './Links.tsx'

const PAGE_SIZE = 50

/** The holders of a collection, or of one token of it. */
export function NftHolders({
  chainId,
  address,
  tokenId,
}: {
  readonly chainId: string
  readonly address: string
  readonly tokenId?: string
}) {
  const { evm } = useData()
  const [tokenClass, setTokenClass] = useState<ListNftHoldersResponse['tokenClass']>()
  const list = usePages<NftHolder>(
    (signal) => {
      const all = { chainId, address, pageSize: PAGE_SIZE }
      const pages =
        tokenId === undefined
          ? evm.listNftCollectionHolders.pages(all, { signal })
          : evm.listNftHolders.pages({ ...all, tokenId }, { signal })
      return rowsOf(pages, (page) => {
        setTokenClass(page.tokenClass)
        return page.holders
      })
    },
    [chainId, address, tokenId],
  )
  return (
    <>
      {tokenClass !== undefined && tokenClass !== 'wellBehaved' && (
        <p class="note">
          The transfers of this contract do not add up to its balances, so holders may be missing.
        </p>
      )}
      <Table
        name={`Holders of ${address}${tokenId === undefined ? '' : ` ${tokenId}`}`}
        rows={list.rows}
        columns={columns(chainId)}
        rowKey={({ address: holder }) => holder}
        empty="No address holds any."
        isLoading={list.isLoading}
        error={list.error}
        hasMore={list.hasMore}
        onMore={list.more}
      />
    </>
  )
}

const columns = (chainId: string): readonly Column<NftHolder>[] => [
  {
    title: 'Holder',
    cell: ({ address }) => <AddressLink chainId={chainId} of={{ address }} />,
    text: ({ address }) => address,
  },
  { title: 'Tokens', cell: ({ balance }) => count(balance), text: ({ balance }) => balance, isNumber: true },
]
