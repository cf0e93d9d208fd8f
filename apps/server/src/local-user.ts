/** The one user of CROFT_AUTO_LOGIN=true. */
export const LOCAL_USER_ID = 'local';

/**
 * Whether a user exists in this mode of the server: the local user only under auto-login, those of accounts only without it.
 * The runs of the other mode's users must not start: under auto-login they would have the files of the local user, and no page
 * shows or stops them.
 */
export const isOfThisMode = (userId: string, { autoLogin }: { readonly autoLogin: boolean }): boolean =>
  autoLogin === (userId === LOCAL_USER_ID);
