import type { EventLog, NativeTransaction } from '@firn/client'
import { EVENTS } from '../../format/Events.ts'
import { read } from '../../format/Words.ts'
import { useData } from '../../state/Session.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import { isNotFound } from '../ErrorNote.tsx'
import { Loadable } from '../Loadable.tsx'
import { Empty } from '../Loading.tsx'
import { Panel } from '../Panel.tsx'
import { Raw } from '../Raw.tsx'
import { Arguments } from './Arguments.tsx'
import { AddressLink } from './Links.tsx'

type Place = Pick<NativeTransaction, 'chainId' | 'blockNumber' | 'txHash'>

const PAGE_SIZE = 100
/** Largest number of pages to read for a transaction: its block may have many logs of others. */
const MOST_PAGES = 50

/** Logs of a transaction, if the service stores those of its block. */
interface Found {
  readonly isStored: boolean
  readonly isWhole: boolean
  readonly logs: readonly EventLog[]
}

/** Logs of a transaction, decoded where the event is a common one. */
export function Logs({ of }: { readonly of: Place }) {
  const { evm } = useData()
  const { chainId, blockNumber, txHash } = of
  const loaded = useLoaded(
    async (signal): Promise<Found> => {
      const startBlock = Number(blockNumber)
      // The range ends before its last block.
      const parameters = { chainId, startBlock, endBlock: startBlock + 1, pageSize: PAGE_SIZE }
      const logs: EventLog[] = []
      let pages = 0
      try {
        for await (const page of evm.listLogs.pages(parameters, { signal })) {
          if (BigInt(page.completeFromBlock) > BigInt(blockNumber))
            return { isStored: false, isWhole: false, logs }
          logs.unshift(...page.logs.filter((log) => log.txHash === txHash).toReversed())
          pages++
          if (pages === MOST_PAGES) break
        }
      } catch (error) {
        if (!isNotFound(error)) throw error
        return { isStored: false, isWhole: false, logs: [] }
      }
      return { isStored: true, isWhole: pages < MOST_PAGES, logs }
    },
    [chainId, blockNumber, txHash],
  )
  return (
    <Panel title="Logs">
      <Loadable loaded={loaded} what="the logs">
        {({ isStored, isWhole, logs }) =>
          isStored ? (
            <>
              {logs.length === 0 && <Empty>This transaction has no logs.</Empty>}
              {!isWhole && <p class="note note-warn">The block has too many logs to show all of them.</p>}
              {logs.map((log) => (
                <Log key={log.logIndex} chainId={chainId} log={log} />
              ))}
            </>
          ) : (
            <Empty>This service does not store the logs of this block.</Empty>
          )
        }
      </Loadable>
    </Panel>
  )
}

function Log({ chainId, log }: { readonly chainId: string; readonly log: EventLog }) {
  const { address, topics, data, logIndex } = log
  const [first = '', ...others] = topics
  const signature = EVENTS[first]
  const words = [...others, data].map((one) => one.slice(2)).join('')
  const values = signature === undefined ? undefined : read(signature, words)
  return (
    <section class="log" aria-label={`Log ${logIndex}`}>
      <h3>
        {signature === undefined ? 'Unknown event' : <span class="code">{signature}</span>}{' '}
        <span class="muted">log {logIndex} of the block</span>
      </h3>
      <p>
        <AddressLink chainId={chainId} of={{ address }} />
      </p>
      {values === undefined ? (
        <Raw
          name={`Topics and data of log ${logIndex}`}
          text={[...topics.map((topic, index) => `topic ${index}: ${topic}`), `data: ${data}`].join('\n')}
        />
      ) : (
        <Arguments chainId={chainId} values={values} />
      )}
    </section>
  )
}
