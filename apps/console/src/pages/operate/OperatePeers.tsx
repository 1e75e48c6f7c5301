import type { OperatorPeer, OperatorSubnetPeers } from '@firn/client/operate'
import { useState } from 'preact/hooks'
import { Amount } from '../../components/Amount.tsx'
import { Id } from '../../components/Id.tsx'
import { numberColumn, textColumn, timeColumn } from '../../components/operate/Columns.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { NodeIdLink } from '../../components/Primary.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { AVAX_DECIMALS, plain, toBigInt } from '../../format/Amounts.ts'
import { link } from '../../Routes.ts'
import { useOperateData } from '../../state/useOperate.ts'

/** Connected peers, and the connected weight of each subnet. */
export function Page() {
  const loaded = useOperateData((operate, signal) => operate.getPeers({}, { signal }))
  const [text, setText] = useState('')
  const { peers = [], subnets = [] } = loaded.value ?? {}
  const wanted = text.trim().toLowerCase()
  const rows = peers.filter((one) =>
    `${one.nodeId} ${one.address} ${one.version} ${one.service}`.toLowerCase().includes(wanted),
  )
  const isLoading = loaded.value === undefined && loaded.isLoading
  return (
    <>
      <PageHead title="Peers">Nodes to which this process is connected, and what they reach.</PageHead>
      {subnets.length > 0 && (
        <Panel title="Connected validators">
          <Table
            name="Connected validators"
            rows={subnets}
            columns={SUBNET_COLUMNS}
            rowKey={({ service, subnetId }) => `${service} ${subnetId}`}
            empty="No subnet is followed."
          />
        </Panel>
      )}
      <Panel title="Connected peers">
        <Table
          name="Connected peers"
          rows={rows}
          columns={PEER_COLUMNS}
          rowKey={({ service, nodeId }) => `${service} ${nodeId}`}
          empty={
            wanted === ''
              ? 'No peer is connected. Check that this machine reaches the network, and the log for reasons.'
              : 'No peer matches the filter.'
          }
          isLoading={isLoading}
          error={loaded.error}
          onMore={loaded.reload}
          tools={
            <label class="field">
              Filter
              <input
                type="search"
                value={text}
                placeholder="NodeID, address or version"
                onInput={(event) => setText(event.currentTarget.value)}
              />
            </label>
          }
        />
      </Panel>
    </>
  )
}

/** Returns a share of the weight in percent, with one decimal. */
function shareOf({ weight, connectedWeight }: OperatorSubnetPeers): number {
  const total = toBigInt(weight)
  return total === 0n ? 0 : Number((toBigInt(connectedWeight) * 1_000n) / total) / 10
}

const SUBNET_COLUMNS: readonly Column<OperatorSubnetPeers>[] = [
  {
    title: 'Subnet',
    cell: ({ subnetId }) => <Id id={subnetId} href={link('subnet', { subnetId })} />,
    text: ({ subnetId }) => subnetId,
  },
  textColumn('Used by', ({ service }) => service),
  numberColumn('Validators', ({ validators }) => validators),
  numberColumn('Connected', ({ connectedValidators }) => connectedValidators),
  numberColumn('Connected weight', shareOf, ' %'),
]

const PEER_COLUMNS: readonly Column<OperatorPeer>[] = [
  {
    title: 'Node',
    cell: ({ nodeId }) => <NodeIdLink id={nodeId} />,
    text: ({ nodeId }) => nodeId,
    sort: ({ nodeId }) => nodeId,
  },
  textColumn('Used by', ({ service }) => service),
  textColumn('Address', ({ address }) => address),
  textColumn('Version', ({ version }) => version),
  {
    title: 'Stake',
    cell: ({ stake }) => (stake === undefined ? <span class="muted">–</span> : <Amount value={stake} />),
    text: ({ stake }) => (stake === undefined ? '' : plain(stake, AVAX_DECIMALS)),
    sort: ({ stake }) => toBigInt(stake),
    isNumber: true,
  },
  numberColumn('Tracked subnets', ({ trackedSubnets }) => trackedSubnets.length),
  timeColumn('Last message', ({ lastReceived }) => lastReceived),
]
