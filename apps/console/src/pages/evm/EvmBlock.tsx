import type { ChainInfo, EvmBlock, NativeTransaction } from '@firn/client'
import { Amount } from '../../components/Amount.tsx'
import { share } from '../../components/evm/BlockTable.tsx'
import { chainTitle, OnChain } from '../../components/evm/OnChain.tsx'
import { TransactionTable } from '../../components/evm/TransactionTable.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Id } from '../../components/Id.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Time } from '../../components/Time.tsx'
import { count } from '../../format/Amounts.ts'
import { GWEI_DECIMALS } from '../../format/Transactions.ts'
import type { PageProps } from '../../PageModule.ts'
import { link } from '../../Routes.ts'
import { useData } from '../../state/Session.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import { rowsOf, usePages } from '../../state/usePages.ts'

const PAGE_SIZE = 50

/** A block of an EVM chain with its transactions. */
export function Page({ parameters: { chainId = '', blockId = '' } }: PageProps) {
  return <OnChain chainId={chainId}>{(chain) => <Content chain={chain} blockId={blockId} />}</OnChain>
}

function Content({ chain, blockId }: { readonly chain: ChainInfo; readonly blockId: string }) {
  const { evm } = useData()
  const { chainId } = chain
  const loaded = useLoaded((signal) => evm.getBlock({ chainId, blockId }, { signal }), [chainId, blockId])
  const height = loaded.value?.blockNumber ?? (/^\d+$/.test(blockId) ? blockId : undefined)
  return (
    <>
      <PageHead
        kind={`Block of ${chainTitle(chain)}`}
        title={height === undefined ? <Id id={blockId} /> : count(height)}
        actions={height !== undefined && <Neighbours chainId={chainId} height={BigInt(height)} />}
      />
      <Loadable loaded={loaded} what="the block">
        {(block) => (
          <>
            <About chain={chain} block={block} />
            <Transactions chain={chain} block={block} />
          </>
        )}
      </Loadable>
    </>
  )
}

function Neighbours({ chainId, height }: { readonly chainId: string; readonly height: bigint }) {
  const to = (blockId: bigint) => link('evmBlock', { chainId, blockId: String(blockId) })
  return (
    <nav aria-label="Neighbouring blocks" class="neighbours">
      {height > 0n && <a href={to(height - 1n)}>Previous</a>}
      <a href={to(height + 1n)}>Next</a>
    </nav>
  )
}

function About({ chain, block }: { readonly chain: ChainInfo; readonly block: EvmBlock }) {
  const { chainId, networkToken } = chain
  const parent = link('evmBlock', { chainId, blockId: block.parentHash })
  return (
    <Panel title="About">
      <Facts
        facts={[
          [
            'Chain',
            <a href={link('evmChain', { chainId })}>
              <bdi>{chainTitle(chain)}</bdi>
            </a>,
          ],
          ['Hash', <Id id={block.blockHash} isWhole />],
          ['Parent', <Id id={block.parentHash} isWhole href={parent} />],
          ['Time', <Time at={block.blockTimestamp} withDistance />],
          ['Transactions', count(block.txCount)],
          [
            'Gas used',
            `${count(block.gasUsed)} of ${count(block.gasLimit)} (${share(block.gasUsed, block.gasLimit)})`,
          ],
          ['Base fee', <Amount value={block.baseFee} decimals={GWEI_DECIMALS} symbol="gwei" />],
          ['Block gas cost', block.gasCost !== '0' && count(block.gasCost)],
          [
            'Fees of all transactions',
            <Amount value={block.feesSpent} decimals={networkToken.decimals} symbol={networkToken.symbol} />,
          ],
          ['Transactions up to this block', count(block.cumulativeTransactions)],
          ['Finality', block.finality],
        ]}
      />
    </Panel>
  )
}

function Transactions({ chain, block }: { readonly chain: ChainInfo; readonly block: EvmBlock }) {
  const { evm } = useData()
  const { chainId } = chain
  const { blockHash, blockNumber } = block
  const list = usePages<NativeTransaction>(
    (signal) => {
      const parameters = { chainId, blockId: blockHash, pageSize: PAGE_SIZE }
      return rowsOf(
        evm.getTransactionsForBlock.pages(parameters, { signal }),
        ({ transactions }) => transactions,
      )
    },
    [chainId, blockHash],
  )
  return (
    <Panel title="Transactions">
      <TransactionTable
        name={`Transactions of block ${blockNumber}`}
        chain={chain}
        list={list}
        hasPlaces={false}
      />
    </Panel>
  )
}
