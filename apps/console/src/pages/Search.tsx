import { useEffect } from 'preact/hooks'
import { Id } from '../components/Id.tsx'
import { Loadable } from '../components/Loadable.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { clean } from '../format/ChainText.ts'
import type { PageProps } from '../PageModule.ts'
import { classify } from '../search/Classify.ts'
import { type Found, lookUp } from '../search/Lookup.ts'
import { useSession } from '../state/Session.ts'
import { useLoaded } from '../state/useLoaded.ts'

/** What a text is, and which things have it as their id. A single thing is opened at once. */
export function Page({ query: { q = '' } }: PageProps) {
  const { data, network } = useSession()
  const found = classify(q)
  const results = useLoaded((signal) => lookUp(found, { data, network, signal }), [q, network])
  const only = results.value?.length === 1 ? results.value[0]?.href : undefined
  useEffect(() => {
    // The address of the search is replaced, so that the back button leads to the page before it.
    if (only !== undefined) location.replace(only)
  }, [only])
  return (
    <>
      <PageHead kind="Search" title={found.title}>
        <Id id={clean(q, q.length)} />
      </PageHead>
      <Loadable loaded={results} what="results">
        {(list) => <Results list={list} />}
      </Loadable>
    </>
  )
}

function Results({ list }: { readonly list: readonly Found[] }) {
  if (list.length === 0) {
    return (
      <div class="note">
        <p>This service knows nothing with this id.</p>
        <p>
          Check that it is complete, and that it belongs to the network of this service. The search
          understands ids of transactions, blocks, blockchains, subnets, validations and assets, NodeIDs,
          addresses of all chains, heights, EVM hashes, and Warp messages in hexadecimal.
        </p>
      </div>
    )
  }
  return (
    <Panel title="Results">
      <ul class="found">
        {list.map(({ title, detail, href }) => (
          <li key={title}>
            {href === undefined ? <span>{title}</span> : <a href={href}>{title}</a>}
            {detail !== undefined && <span class="muted">{detail}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
