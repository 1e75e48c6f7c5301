import type { ChainInfo, EvmBlock } from '@firn/client'
import { useEffect, useState } from 'preact/hooks'
import { BlockTable } from '../../components/evm/BlockTable.tsx'
import { LiveButton } from '../../components/evm/LiveButton.tsx'
import { ChainTabs, chainTitle, OnChain } from '../../components/evm/OnChain.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { join } from '../../format/Tail.ts'
import type { PageProps } from '../../PageModule.ts'
import { useData } from '../../state/Session.ts'
import { useChanges } from '../../state/useChanges.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import { rowsOf, usePages } from '../../state/usePages.ts'

const PAGE_SIZE = 50

/** Blocks of an EVM chain, newest first. New blocks are added as they come. */
export function Page({ parameters: { chainId = '' } }: PageProps) {
  return <OnChain chainId={chainId}>{(chain) => <Content chain={chain} />}</OnChain>
}

function Content({ chain }: { readonly chain: ChainInfo }) {
  const { evm } = useData()
  const { chainId } = chain
  const parameters = { chainId, pageSize: PAGE_SIZE }
  const [isPaused, setPaused] = useState(false)
  const [round, setRound] = useState(0)
  const list = usePages<EvmBlock>(
    (signal) => rowsOf(evm.getLatestBlocks.pages(parameters, { signal }), ({ blocks }) => blocks),
    [chainId, round],
  )
  const newest = useLoaded(
    async (signal) => (await evm.getLatestBlocks(parameters, { signal })).blocks,
    [chainId],
  )
  const following = useChanges(chainId, isPaused, newest.reload)
  const rows = join(newest.value ?? [], list.rows)
  const hasGap = rows === undefined
  useEffect(() => {
    // More blocks came at once than a page has, so the list starts again.
    if (hasGap) setRound((before) => before + 1)
  }, [hasGap])
  return (
    <>
      <PageHead
        kind={`EVM chain ${chainId}`}
        title={
          <>
            Blocks of <bdi>{chainTitle(chain)}</bdi>
          </>
        }
        actions={<LiveButton following={following} onPause={setPaused} />}
      />
      <ChainTabs chain={chain} current="evmBlocks" />
      <Panel title="Newest blocks">
        <BlockTable chain={chain} list={{ ...list, rows: rows ?? newest.value ?? [] }} />
      </Panel>
    </>
  )
}
