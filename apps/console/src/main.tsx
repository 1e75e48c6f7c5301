import { render } from 'preact'
import { App } from './App.tsx'
import * as Settings from './state/Settings.ts'
import * as SignIn from './state/SignIn.ts'

Settings.apply()
SignIn.start()
const root = document.getElementById('console')
if (root !== null) render(<App />, root)
