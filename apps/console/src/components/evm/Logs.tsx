import type { GetTransactionResponse, TransactionLog } from '@firn/client'
import { clean } from '../../format/ChainText.ts'
import { Empty } from '../Loading.tsx'
import { Panel } from '../Panel.tsx'
import { Raw } from '../Raw.tsx'
import { Decoding } from './Decoding.tsx'
import { AddressLink } from './Links.tsx'

/** Logs of a transaction, decoded where the service knows the event. */
export function Logs({ found }: { readonly found: GetTransactionResponse }) {
  const { logs, hasMoreLogs, nativeTransaction } = found
  return (
    <Panel title="Logs">
      {logs === undefined && <Empty>This service does not store the logs of this block.</Empty>}
      {logs?.length === 0 && <Empty>This transaction has no logs.</Empty>}
      {logs?.map((log) => (
        <Log key={log.logIndex} chainId={nativeTransaction.chainId} log={log} />
      ))}
      {hasMoreLogs === true && (
        <p class="note note-warn">The transaction has too many logs to show all of them.</p>
      )}
    </Panel>
  )
}

function Log({ chainId, log }: { readonly chainId: string; readonly log: TransactionLog }) {
  const { address, topics, data, logIndex, decoded } = log
  const { signature, parameters } = decoded ?? {}
  return (
    <section class="log" aria-label={`Log ${logIndex}`}>
      <h3>
        {signature === undefined ? 'Unknown event' : <bdi class="code">{clean(signature, 200)}</bdi>}{' '}
        <span class="muted">log {logIndex} of the block</span>
      </h3>
      <p>
        <AddressLink chainId={chainId} of={{ address }} />
      </p>
      {decoded !== undefined && <Decoding chainId={chainId} decoded={decoded} />}
      {parameters === undefined && (
        <Raw
          name={`Topics and data of log ${logIndex}`}
          text={[...topics.map((topic, index) => `topic ${index}: ${topic}`), `data: ${data}`].join('\n')}
        />
      )}
    </section>
  )
}
