import { useEffect, useState } from 'preact/hooks'
import { count } from '../../format/Amounts.ts'
import * as Csv from '../../format/Csv.ts'
import { link } from '../../Routes.ts'
import { share } from '../../warp/Outcomes.ts'
import { type Bundle, pack, type Verdict as Result, verify } from '../../warp/Proof.ts'
import { ErrorNote } from '../ErrorNote.tsx'
import { Facts } from '../Facts.tsx'
import { CopyButton, Id } from '../Id.tsx'
import { Status } from '../Status.tsx'

/** Verifies a proof bundle in this browser and says what it proves. */
export function Verdict({ bundle, quorum }: { readonly bundle: Bundle; readonly quorum: number }) {
  const [result, setResult] = useState<{ readonly verdict?: Result; readonly error?: unknown }>({})
  useEffect(() => {
    try {
      setResult({ verdict: verify(bundle, quorum) })
    } catch (error) {
      setResult({ error })
    }
  }, [bundle, quorum])
  const { verdict, error } = result
  if (error !== undefined) return <ErrorNote error={error} />
  if (verdict === undefined) return null
  const { isValid, reason, signedWeight, totalWeight, signers, validators, hash } = verdict
  return (
    <>
      <div class={isValid ? 'note note-good' : 'note note-bad'} role="status">
        <p>
          <strong>
            {isValid ? 'Valid: this browser has verified the signature.' : `Not valid: ${reason}.`}
          </strong>
        </p>
        <p>
          The validator set comes from the bundle. Compare its hash with another source, such as a second
          aggregator or your own node.
        </p>
      </div>
      <Facts
        facts={[
          ['Result', <Status tone={isValid ? 'good' : 'bad'}>{isValid ? 'valid' : 'not valid'}</Status>],
          [
            'Signed weight',
            signedWeight !== undefined &&
              `${count(signedWeight)} of ${count(totalWeight)} (${share(signedWeight, totalWeight)})`,
          ],
          ['Required', `${quorum} %`],
          ['Signers', signers !== undefined && `${signers} of ${validators}`],
          ['Network', String(verdict.networkId)],
          ['Signing subnet', <Id id={verdict.signingSubnetId} isWhole />],
          ['P-chain height', count(verdict.pChainHeight)],
          ['Hash of the validator set', <Id id={hash} isWhole />],
        ]}
      />
      <Share bundle={bundle} />
    </>
  )
}

/** Download of a bundle, and a link to it. */
function Share({ bundle }: { readonly bundle: Bundle }) {
  const [packed, setPacked] = useState<{ readonly text: string | undefined }>()
  useEffect(() => {
    let isCurrent = true
    pack(bundle).then(
      (text) => isCurrent && setPacked({ text }),
      () => isCurrent && setPacked({ text: undefined }),
    )
    return () => {
      isCurrent = false
    }
  }, [bundle])
  const href = packed?.text === undefined ? undefined : link('warpVerify', {}, { proof: packed.text })
  return (
    <div class="form">
      <button
        type="button"
        class="button"
        onClick={() => Csv.download('warp-proof.json', bundle, 'application/json')}
      >
        Download the proof
      </button>
      {href !== undefined && (
        <span class="field">
          <a href={href}>Link to the proof</a>
          <CopyButton text={new URL(href, location.href).href} />
        </span>
      )}
      {packed !== undefined && href === undefined && (
        <span class="muted">The proof is too large for a link. Share the file.</span>
      )}
    </div>
  )
}
