import type { Quorum } from '@firn/client/aggregator'
import { useState } from 'preact/hooks'
import { count } from '../../format/Amounts.ts'
import type { Aggregator } from '../../state/Aggregator.ts'
import { useSession } from '../../state/Session.ts'
import { type Aggregation, keyOf, useAggregation } from '../../state/useAggregation.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import type { Message } from '../../warp/Message.ts'
import * as Outcomes from '../../warp/Outcomes.ts'
import { create } from '../../warp/Proof.ts'
import { ErrorNote } from '../ErrorNote.tsx'
import { Facts } from '../Facts.tsx'
import { Id } from '../Id.tsx'
import { Loadable } from '../Loadable.tsx'
import { Panel } from '../Panel.tsx'
import { Raw } from '../Raw.tsx'
import { Status, type Tone } from '../Status.tsx'
import { Missing } from './Missing.tsx'
import { DEFAULT_QUORUM, QuorumField } from './QuorumField.tsx'
import { Signers } from './Signers.tsx'
import { Verdict } from './Verdict.tsx'
import { WeightBar } from './WeightBar.tsx'

const WAITS = [5, 15, 60] as const

/** Who must sign a message, the collection of their signatures, and its result. */
export function Signing({
  aggregator,
  message: { unsigned = '', sourceChainId = '', signed },
}: {
  readonly aggregator: Aggregator
  readonly message: Message
}) {
  const [quorum, setQuorum] = useState(DEFAULT_QUORUM)
  const [height, setHeight] = useState('')
  const [wait, setWait] = useState<number>(WAITS[1])
  const { aggregation, start } = useAggregation(aggregator)
  const subnet = useLoaded((signal) => signersOf(aggregator, sourceChainId, signal), [sourceChainId])
  const submit = (event: Event) => {
    event.preventDefault()
    start({
      message: unsigned,
      quorumPercentage: quorum,
      deadlineMs: wait * 1_000,
      waitMs: wait * 1_000,
      ...(height === '' ? {} : { pChainHeight: Number(height) }),
    })
  }
  return (
    <>
      <Panel title="Signatures">
        <form class="form" onSubmit={submit}>
          <QuorumField value={quorum} onChange={setQuorum} />
          <label class="field">
            P-chain height
            <input
              inputMode="numeric"
              pattern="[0-9]*"
              placeholder="proposed"
              value={height}
              onInput={({ currentTarget }) => setHeight(currentTarget.value.trim())}
            />
          </label>
          <label class="field">
            Wait
            <select value={wait} onChange={({ currentTarget }) => setWait(Number(currentTarget.value))}>
              {WAITS.map((seconds) => (
                <option key={seconds} value={seconds}>
                  {seconds} s
                </option>
              ))}
            </select>
          </label>
          <button type="submit" class="button button-main" disabled={aggregation.state === 'running'}>
            Collect signatures
          </button>
        </form>
        <Progress aggregation={aggregation} />
      </Panel>
      {aggregation.signed !== undefined && (
        <Panel title="Signed message">
          <Raw name="Signed message in hexadecimal" text={aggregation.signed.signedMessage} />
          <Verdict
            bundle={create(aggregation.signed.signedMessage, aggregation.signed.proof)}
            quorum={quorum}
          />
        </Panel>
      )}
      {signed !== undefined && aggregation.signed !== undefined && (
        <Panel title="Pasted signature">
          <Verdict bundle={create(signed, aggregation.signed.proof)} quorum={quorum} />
        </Panel>
      )}
      <Panel title="Who must sign">
        <Loadable loaded={subnet} what="the validators">
          {(found) => <Who quorum={found} aggregation={aggregation} />}
        </Loadable>
      </Panel>
    </>
  )
}

/** Returns the validators that sign the messages of a chain. */
async function signersOf(
  { network, signatureAggregator }: Aggregator,
  sourceChain: string,
  signal: AbortSignal,
): Promise<Quorum> {
  const { subnets } = await signatureAggregator.listQuorums({ network, sourceChain }, { signal })
  return signatureAggregator.getQuorum({ network, subnetId: subnets[0]?.subnetId ?? '' }, { signal })
}

function Who({ quorum, aggregation }: { readonly quorum: Quorum; readonly aggregation: Aggregation }) {
  const { network } = useSession()
  const { report, outcomes } = aggregation
  const cannotSign = BigInt(quorum.cannotSignWeight)
  const signers =
    report?.validators.map(Outcomes.fromOutcome) ??
    quorum.validators.map((one) => {
      const outcome = outcomes.get(keyOf(one))
      return outcome === undefined ? Outcomes.fromState(one) : Outcomes.fromOutcome(outcome)
    })
  return (
    <>
      <Facts
        facts={[
          ['Subnet', <Id id={report?.signingSubnetId ?? quorum.subnetId} isWhole />],
          ['P-chain height', count(report?.pChainHeight ?? quorum.pChainHeight)],
          ['Total weight', count(report?.totalWeight ?? quorum.totalWeight)],
          ['Validators', count(signers.length)],
          [
            'Cannot sign',
            cannotSign > 0n &&
              `${Outcomes.share(cannotSign, BigInt(quorum.totalWeight))} of the weight: validators without a balance or without a BLS key`,
          ],
        ]}
      />
      <Signers name="Validators that must sign" signers={signers} hasPages={network !== undefined} />
    </>
  )
}

const STATES: Readonly<Record<Aggregation['state'], readonly [title: string, tone: Tone]>> = {
  idle: ['not started', 'quiet'],
  running: ['collecting', 'warn'],
  signed: ['quorum reached', 'good'],
  failed: ['not signed', 'bad'],
}

function Progress({ aggregation }: { readonly aggregation: Aggregation }) {
  const { state, error, outcomes, collectedWeight, neededWeight, totalWeight } = aggregation
  if (state === 'idle') return null
  const [title, tone] = STATES[state]
  const total = BigInt(totalWeight ?? 0)
  const signers = [...outcomes.values()].map(Outcomes.fromOutcome)
  // A quorum was reached before those who have not answered yet were needed.
  const awaited = signers.filter(({ words }) => state !== 'signed' || words.tone === 'bad')
  const groups = Outcomes.missing(awaited)
  const missing = groups.reduce((sum, { weight }) => sum + weight, 0n)
  const weights = { signed: BigInt(collectedWeight ?? 0), missing, needed: BigInt(neededWeight ?? 0), total }
  return (
    <>
      <div class="progress" role="status">
        <Status tone={tone}>{title}</Status>
        {total > 0n && <WeightBar weights={weights} what="signed" />}
      </div>
      {error !== undefined && <ErrorNote error={error} />}
      {groups.length > 0 && (
        <section aria-label="Missing validators">
          <h3 class="part">Missing</h3>
          <Missing groups={groups} total={total} />
        </section>
      )}
    </>
  )
}
