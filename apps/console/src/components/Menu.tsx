import { useContext } from 'preact/hooks'
import { link, MENU_GROUPS, type Place, ROUTES, type Route, type RouteName } from '../Routes.ts'
import { type Session, SessionContext } from '../state/Session.ts'

const ENTRIES = Object.entries(ROUTES) as readonly (readonly [RouteName, Route])[]

/** Links to the pages that this service can fill. */
export function Menu({ place, isOpen }: { readonly place: Place | undefined; readonly isOpen: boolean }) {
  const session = useContext(SessionContext)
  const path = place && ROUTES[place.name].path
  return (
    <nav class={isOpen ? 'menu menu-open' : 'menu'} id="menu" aria-label="Pages">
      {MENU_GROUPS.map((group) => {
        const entries = ENTRIES.filter(([, route]) => route.menu === group && isOffered(route, session))
        if (entries.length === 0) return null
        return (
          <section key={group}>
            <h2>{group}</h2>
            <ul>
              {entries.map(([name, route]) => (
                <li key={name}>
                  <a href={link(name as 'home')} aria-current={currentOf(route, path)}>
                    {route.title}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </nav>
  )
}

function currentOf(route: Route, path: string | undefined): 'page' | 'true' | undefined {
  if (route.path === path) return 'page'
  return route.path !== '/' && path?.startsWith(`${route.path}/`) === true ? 'true' : undefined
}

/** Returns whether this service has the APIs of a page. Pages of the Primary Network also need a network. */
export function isOffered(route: Route, session: Session | undefined): boolean {
  if (session === undefined) return route.needs.length === 0
  if (route.path.startsWith('/p/') && session.network === undefined) return false
  if (route.part !== undefined && session.api('operate')?.parts?.includes(route.part) !== true) return false
  return route.needs.every((kind) => session.api(kind) !== undefined)
}
