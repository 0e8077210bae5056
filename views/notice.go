package views

// Notices that a handler leaves for the page after its redirect. The comment
// says what stands in Args.
const (
	NoticeWelcome        = "notice.welcome"          // address proven and logged in; nickname
	NoticeVerifiedOther  = "notice.verified_other"   // proven while somebody else is logged in; nickname of the proven account
	NoticeLoggedIn       = "notice.logged_in"        // nickname
	NoticeLoggedOut      = "notice.logged_out"       // none
	NoticeResent         = "notice.resent"           // another mail for the sign-up of this browser; none
	NoticeResentMaybe    = "notice.resent_maybe"     // asked from outside; none
	NoticeCorrected      = "notice.corrected"        // another address for the sign-up; none
	NoticePasswordReset  = "notice.password_reset"   // by the link of a mail; none
	NoticePosted         = "notice.posted"           // none
	NoticePostSaved      = "notice.post_saved"       // none
	NoticePostDeleted    = "notice.post_deleted"     // none
	NoticeCommented      = "notice.commented"        // none
	NoticeCommentSaved   = "notice.comment_saved"    // none
	NoticeCommentDeleted = "notice.comment_deleted"  // none
	NoticeLoginFirst     = "notice.login_first"      // a page for members only; none
	NoticeTextKept       = "notice.text_kept"        // log in and the text comes back; none
	NoticeTextBack       = "notice.text_back"        // the kept text is in the form again; none
	NoticeFormReused     = "notice.form_reused"      // the form was sent before with another text; none
	NoticeJobRetried     = "notice.job_retried"      // number of the job
	NoticeJobDropped     = "notice.job_dropped"      // number of the job
	NoticeJobNotDead     = "notice.job_not_dead"     // number of the job, its state in words
	NoticeJobForgotten   = "notice.job_forgotten"    // number of the job
	NoticeJobGone        = "notice.job_gone"         // number of the job
	NoticeUserDisabled   = "notice.user_disabled"    // nickname
	NoticeUserEnabled    = "notice.user_enabled"     // nickname
	NoticeUserRole       = "notice.user_role"        // nickname, role in words
	NoticeUserLastAdmin  = "notice.user_last_admin"  // nickname
	NoticeUserOwnAccount = "notice.user_own_account" // none
	NoticeNickname       = "notice.nickname_changed" // none
	NoticeLanguage       = "notice.language_changed" // none
	NoticePassword       = "notice.password_changed" // none
	NoticeEmailAsked     = "notice.email_asked"      // none
	NoticeEmailRespelled = "notice.email_respelled"  // none
	NoticeEmailChanged   = "notice.email_changed"    // none
	NoticeSessionEnded   = "notice.session_ended"    // none
	NoticeSessionsEnded  = "notice.sessions_ended"   // none
	NoticeAccountDeleted = "notice.account_deleted"  // none
)
