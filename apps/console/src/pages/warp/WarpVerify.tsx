import { useEffect, useState } from 'preact/hooks'
import { ErrorNote } from '../../components/ErrorNote.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { DEFAULT_QUORUM, QuorumField } from '../../components/warp/QuorumField.tsx'
import { Verdict } from '../../components/warp/Verdict.tsx'
import type { PageProps } from '../../PageModule.ts'
import { unpack } from '../../warp/Proof.ts'

/** Verifies a proof bundle in this browser, without any request. */
export function Page({ query: { proof } }: PageProps) {
  const [text, setText] = useState('')
  const [shown, setShown] = useState<string>()
  const [quorum, setQuorum] = useState(DEFAULT_QUORUM)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    if (proof === undefined) return
    unpack(proof).then((bundle) => {
      setText(bundle)
      setShown(bundle)
    }, setError)
  }, [proof])
  const submit = (event: Event) => {
    event.preventDefault()
    setShown(text)
  }
  const choose = async (file: File | undefined) => file && setText(await file.text())
  return (
    <>
      <PageHead title="Verify a proof">
        A proof is a signed message with the validators that can sign it. This browser verifies it and sends
        nothing.
      </PageHead>
      {error !== undefined && <ErrorNote error={error} />}
      {shown !== undefined && (
        <Panel title="Result">
          <Verdict bundle={shown} quorum={quorum} />
        </Panel>
      )}
      <Panel title="Proof">
        <form class="form form-tall" onSubmit={submit}>
          <label class="field">
            File
            <input
              type="file"
              accept="application/json"
              onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
            />
          </label>
          <label class="field-tall">
            JSON of the proof
            <textarea
              class="input code"
              rows={10}
              required
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
          <QuorumField value={quorum} onChange={setQuorum} />
          <button type="submit" class="button button-main">
            Verify
          </button>
        </form>
      </Panel>
    </>
  )
}
