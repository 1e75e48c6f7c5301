import type { PrimaryNetworkBlock } from '@firn/client'
import { Amount } from '../components/Amount.tsx'
import { Facts } from '../components/Facts.tsx'
import { Id } from '../components/Id.tsx'
import { Loadable } from '../components/Loadable.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { NodeIdLink, TxId } from '../components/Primary.tsx'
import { Table } from '../components/Table.tsx'
import { Time } from '../components/Time.tsx'
import { count } from '../format/Amounts.ts'
import { aliasOf, CHAINS } from '../format/Chains.ts'
import type { PageProps } from '../PageModule.ts'
import { link } from '../Routes.ts'
import { usePrimary } from '../state/Session.ts'
import { useLoaded } from '../state/useLoaded.ts'

/** A block of a chain of the Primary Network. */
export function Page({ parameters: { chain: name, blockId = '' } }: PageProps) {
  const { primary, network } = usePrimary()
  const chain = aliasOf(name)
  const loaded = useLoaded(
    (signal) => primary.getBlockById({ network, blockchainId: CHAINS[chain], blockId }, { signal }),
    [network, chain, blockId],
  )
  const height = loaded.value?.blockNumber ?? (/^\d+$/.test(blockId) ? blockId : undefined)
  return (
    <>
      <PageHead
        kind={`Block of the ${chain}-chain`}
        title={height === undefined ? <Id id={blockId} /> : count(height)}
        actions={height !== undefined && <Neighbours chain={chain} height={BigInt(height)} />}
      />
      <Loadable loaded={loaded} what="the block">
        {(block) => <Content block={block} chain={chain} />}
      </Loadable>
    </>
  )
}

function Neighbours({ chain, height }: { readonly chain: string; readonly height: bigint }) {
  const to = (blockId: bigint) => link('block', { chain, blockId: String(blockId) })
  return (
    <nav aria-label="Neighbouring blocks" class="neighbours">
      {height > 0n && <a href={to(height - 1n)}>Previous</a>}
      <a href={to(height + 1n)}>Next</a>
    </nav>
  )
}

function Content({ block, chain }: { readonly block: PrimaryNetworkBlock; readonly chain: string }) {
  const { proposerDetails: proposer, currentSupply } = block
  return (
    <>
      <Panel title="About">
        <Facts
          facts={[
            ['Id', <Id id={block.blockHash} isWhole />],
            [
              'Parent',
              <Id id={block.parentHash} isWhole href={link('block', { chain, blockId: block.parentHash })} />,
            ],
            ['Time', <Time at={block.blockTimestamp} withDistance />],
            ['Type', block.blockType],
            ['Size', `${count(block.blockSizeBytes)} bytes`],
            ['Proposer', proposer?.proposerNodeId && <NodeIdLink id={proposer.proposerNodeId} />],
            ['P-chain height of the proposer', proposer?.proposerPChainHeight],
            ['Active L1 validators', block.activeL1Validators],
            ['Supply', currentSupply && <Amount value={currentSupply} />],
          ]}
        />
      </Panel>
      <Panel title="Transactions">
        <Table
          name={`Transactions of block ${block.blockNumber}`}
          rows={block.transactions}
          columns={[{ title: 'Transaction', cell: (id) => <TxId id={id} isWhole />, text: (id) => id }]}
          rowKey={(id) => id}
          empty="This block has no transactions."
        />
      </Panel>
    </>
  )
}
