import { Component, type ComponentChildren } from 'preact'
import type { PageModule } from '../PageModule.ts'
import { link, type Place, ROUTES, type RouteName } from '../Routes.ts'
import { useSession } from '../state/Session.ts'
import { useLoaded } from '../state/useLoaded.ts'
import { ErrorNote, type ErrorNoteProps } from './ErrorNote.tsx'
import { Loading } from './Loading.tsx'
import { PageHead } from './PageHead.tsx'

/** Loads the module of each page. */
type Pages = Readonly<Record<RouteName, () => Promise<PageModule>>>

/** Loads and shows the page that the address names. */
export function Outlet({ pages, place }: { readonly pages: Pages; readonly place: Place | undefined }) {
  if (place === undefined) return <NotFound />
  return <PageOf key={place.name} pages={pages} place={place} />
}

function PageOf({ pages, place }: { readonly pages: Pages; readonly place: Place }) {
  const { name, parameters, query } = place
  const { value, error, reload } = useLoaded(() => pages[name](), [name])
  const { title } = ROUTES[name]
  const { signIn, apiKey } = useSession()
  if (error !== undefined) return <Failed title={title} error={error} onRetry={reload} />
  if (value === undefined) return <Loading what="the page" />
  return (
    <Boundary key={JSON.stringify([parameters, signIn, apiKey])} title={title}>
      <value.Page parameters={parameters} query={query} />
    </Boundary>
  )
}

/** An error in place of a page, below the title that the page would have. */
function Failed({ title, ...note }: { readonly title: string } & ErrorNoteProps) {
  return (
    <>
      <PageHead title={title} />
      <ErrorNote {...note} />
    </>
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

interface BoundaryProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** Shows an error that a page throws, instead of an empty document. */
class Boundary extends Component<BoundaryProps, { readonly error?: unknown }> {
  static override getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    const { title, children } = this.props
    return error === undefined ? children : <Failed title={title} error={error} />
  }
}
