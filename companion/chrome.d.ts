/** The parts of the extension API that the companion calls, so that no package of types is needed. */
declare namespace chrome {
  interface Listeners<Call> {
    addListener(listener: Call): void;
  }

  namespace runtime {
    const id: string | undefined;
    const onInstalled: Listeners<() => void>;
    const onMessage: Listeners<
      (
        message: unknown,
        sender: { id?: string; url?: string; tab?: tabs.Tab },
        answer: (value: unknown) => void,
      ) => boolean
    >;
    function getManifest(): { version: string };
    function openOptionsPage(): Promise<void>;
    function sendMessage(message: unknown): Promise<unknown>;
  }

  namespace tabs {
    interface Tab {
      id?: number;
      url?: string;
    }
    function query(filter: { active?: boolean; currentWindow?: boolean; url?: string[] }): Promise<Tab[]>;
  }

  namespace scripting {
    interface ContentScript {
      id: string;
      matches: string[];
      js: string[];
      runAt?: 'document_idle';
    }
    function executeScript(injection: { target: { tabId: number }; files: string[] }): Promise<unknown>;
    function executeScript(injection: {
      target: { tabId: number };
      func: () => unknown;
    }): Promise<{ result?: unknown }[]>;
    function registerContentScripts(scripts: ContentScript[]): Promise<void>;
    function unregisterContentScripts(filter: { ids: string[] }): Promise<void>;
    function getRegisteredContentScripts(): Promise<ContentScript[]>;
  }

  namespace permissions {
    const onAdded: Listeners<() => void>;
    const onRemoved: Listeners<() => void>;
    function contains(wanted: { origins: string[] }): Promise<boolean>;
    function request(wanted: { origins: string[] }): Promise<boolean>;
    function remove(unwanted: { origins: string[] }): Promise<boolean>;
  }

  namespace storage {
    const local: {
      get(keys: string[]): Promise<Record<string, unknown>>;
      set(values: Record<string, unknown>): Promise<void>;
    };
    const onChanged: Listeners<(changes: Record<string, unknown>, area: string) => void>;
  }

  namespace action {
    function setBadgeText(badge: { text: string; tabId?: number }): Promise<void>;
    function setBadgeBackgroundColor(badge: { color: string }): Promise<void>;
  }

  namespace i18n {
    function getMessage(name: string, substitutions?: string[]): string;
    function getUILanguage(): string;
  }
}
