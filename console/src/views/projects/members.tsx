import { useState } from 'preact/hooks';
import { get, post } from '../../api.js';
import { Failure, Waiting } from '../../components/notice.js';
import { t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';

const roles = ['reader', 'writer', 'admin'] as const;
type Role = (typeof roles)[number];

interface MemberList {
  results: { user: string; role: Role }[];
  may_manage: boolean;
}

interface MembersProps {
  projectId: string;
  onFailure: (error: Error | undefined) => void;
}

/** The members of a project; its admins can change them. */
export function Members({ projectId, onFailure }: MembersProps) {
  const called = useCall(projectId, (signal) =>
    get<MemberList>(`/memory/projects/${encodeURIComponent(projectId)}/members`, { signal }),
  );
  const list = answerIn(called);
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  if (list === undefined) return <Waiting />;
  const change = (work: Promise<unknown>): void => {
    onFailure(undefined);
    work.then(called.reload, onFailure);
  };
  const set = (user: string, role: Role): void =>
    change(post('/memory/projects/members/set', { project_id: projectId, user, role }));
  const remove = (user: string): void =>
    change(post('/memory/projects/members/remove', { project_id: projectId, user }));
  return (
    <div class="members">
      <table>
        <tbody>
          {list.results.map(({ user, role }) => (
            <tr key={user}>
              <th scope="row">{user}</th>
              <td>
                {list.may_manage ? (
                  <RoleChoice label={`${t('role')}: ${user}`} role={role} onChoose={(next) => set(user, next)} />
                ) : (
                  t(`role_${role}`)
                )}
              </td>
              <td>
                {list.may_manage ? (
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`${t('remove')}: ${user}`}
                    onClick={() => remove(user)}
                  >
                    {t('remove')}
                  </button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {list.may_manage ? <NewMember onAdd={set} /> : null}
    </div>
  );
}

function RoleChoice({ label, role, onChoose }: { label: string; role: Role; onChoose: (role: Role) => void }) {
  return (
    <select aria-label={label} value={role} onChange={(event) => onChoose(event.currentTarget.value as Role)}>
      {roles.map((each) => (
        <option key={each} value={each}>
          {t(`role_${each}`)}
        </option>
      ))}
    </select>
  );
}

function NewMember({ onAdd }: { onAdd: (user: string, role: Role) => void }) {
  const [user, setUser] = useState('');
  const [role, setRole] = useState<Role>('reader');
  return (
    <form
      class="successor"
      onSubmit={(event) => {
        event.preventDefault();
        if (user.trim() !== '') onAdd(user.trim(), role);
        setUser('');
      }}
    >
      <input
        aria-label={t('userName')}
        placeholder={t('userName')}
        value={user}
        autocomplete="off"
        onInput={(event) => setUser(event.currentTarget.value)}
      />
      <RoleChoice label={t('role')} role={role} onChoose={setRole} />
      <button type="submit">{t('addMember')}</button>
    </form>
  );
}
