import { Component, type ComponentChildren } from 'preact'
import { PAGES } from '../Pages.ts'
import { link, type Place } from '../Routes.ts'
import { useLoaded } from '../state/useLoaded.ts'
import { ErrorNote } from './ErrorNote.tsx'
import { Loading } from './Loading.tsx'
import { PageHead } from './PageHead.tsx'

/** Loads and shows the page that the address names. */
export function Outlet({ place }: { readonly place: Place | undefined }) {
  if (place === undefined) return <NotFound />
  return <PageOf key={place.name} place={place} />
}

function PageOf({ place }: { readonly place: Place }) {
  const { name, parameters, query } = place
  const { value, error, reload } = useLoaded(() => PAGES[name](), [name])
  if (error !== undefined) return <ErrorNote error={error} onRetry={reload} />
  if (value === undefined) return <Loading what="the page" />
  return (
    <Boundary key={JSON.stringify(parameters)}>
      <value.Page parameters={parameters} query={query} />
    </Boundary>
  )
}

function NotFound() {
  return (
    <>
      <PageHead title="Page not found" />
      <p>
        The console has no page at this address. <a href={link('home')}>Go to the home page.</a>
      </p>
    </>
  )
}

/** Shows an error that a page throws, instead of an empty document. */
class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly error?: unknown }> {
  static override getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    return error === undefined ? this.props.children : <ErrorNote error={error} />
  }
}
