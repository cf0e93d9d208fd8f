/** The one user of CROFT_AUTO_LOGIN=true. */
export const LOCAL_USER_ID = 'local';
