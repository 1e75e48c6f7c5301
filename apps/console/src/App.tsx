import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ErrorNote } from './components/ErrorNote.tsx'
import { Header } from './components/Header.tsx'
import { Loading } from './components/Loading.tsx'
import { Menu } from './components/Menu.tsx'
import { Outlet } from './components/Outlet.tsx'
import { PAGES } from './Pages.ts'
import { match, ROUTES } from './Routes.ts'
import * as Landing from './state/Landing.ts'
import * as Session from './state/Session.ts'
import { useSettings } from './state/Settings.ts'
import { useSignIn } from './state/SignIn.ts'
import { useLoaded } from './state/useLoaded.ts'

/** How often the state of the service is requested. */
const REFRESH_MS = 15_000

/** The console: header, menu, and the page that the address names. */
export function App() {
  const place = match(useHash())
  const landing = useLoaded(Landing.load, [], REFRESH_MS)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const shape = JSON.stringify(landing.value?.apis)
  const { apiKey } = useSettings()
  // The session stays the same while only the state of the service changes, so pages keep their data.
  const signIn = useSignIn()
  const session = useMemo(
    () => landing.value && Session.create(landing.value, apiKey, signIn),
    [shape, apiKey, signIn],
  )
  const current = session && landing.value && { ...session, landing: landing.value }
  const main = useRef<HTMLElement>(null)
  const address = place && `${place.name} ${JSON.stringify(place.parameters)}`
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = `${place === undefined ? 'Not found' : ROUTES[place.name].title} · Firn`
    setMenuOpen(false)
    if (!isFirst.current) {
      main.current?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    isFirst.current = false
  }, [address])
  return (
    <Session.SessionContext.Provider value={current}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Header isMenuOpen={isMenuOpen} onMenu={() => setMenuOpen(!isMenuOpen)} />
      <div class="frame">
        <Menu place={place} isOpen={isMenuOpen} />
        <main ref={main} tabIndex={-1} id="main">
          {current === undefined ? (
            <Waiting error={landing.error} onRetry={landing.reload} />
          ) : (
            <>
              {landing.error !== undefined && <ErrorNote error={landing.error} onRetry={landing.reload} />}
              <Outlet pages={PAGES} place={place} />
            </>
          )}
        </main>
      </div>
    </Session.SessionContext.Provider>
  )
}

function Waiting({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry: () => void
}): ComponentChildren {
  return error === undefined ? <Loading what="the service" /> : <ErrorNote error={error} onRetry={onRetry} />
}

/** Returns the address after `#`, and renders the component again when it changes. */
function useHash(): string {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const listener = () => setHash(location.hash)
    addEventListener('hashchange', listener)
    return () => removeEventListener('hashchange', listener)
  }, [])
  return hash
}
